"""``rexcc`` with the fake compiler, as a program: what build systems get as CC and CXX in the tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import fake

from rexcc.driver.main import main

sys.exit(main(translate=fake.FakeCompiler()))
