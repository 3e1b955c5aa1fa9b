"""What this machine has: compilers, LLVM's runtimes, devices, and how to install what is missing."""
