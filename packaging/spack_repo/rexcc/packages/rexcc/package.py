"""rexcc for Spack, built of a checkout.

spack repo add packaging/spack_repo/rexcc
spack dev-build rexcc@0.1.0
"""

from spack.package import depends_on, license, variant, version  # noqa: A004 - Spack's word
from spack_repo.builtin.build_systems.python import PythonPackage


class Rexcc(PythonPackage):
    """Source-to-source compiler: OpenMP target regions in C and C++ become readable CUDA kernels."""

    license("Apache-2.0")

    version("0.1.0")

    variant("cuda", default=True, description="Compile kernels for NVIDIA's GPUs")

    depends_on("python@3.10:", type=("build", "run"))
    depends_on("py-setuptools@68:", type="build")
    depends_on("py-libclang@18.1.1", type=("build", "run"))
    depends_on("llvm@17:22 +clang +libomptarget", type="run")
    depends_on("cuda@12:", type="run", when="+cuda")

    def setup_run_environment(self, env):
        """Let CMake find the package file. The runtime is found beside clang, which is on PATH."""
        env.prepend_path("CMAKE_PREFIX_PATH", self.prefix)
        if self.spec.satisfies("+cuda"):
            env.set("CUDA_HOME", self.spec["cuda"].prefix)
