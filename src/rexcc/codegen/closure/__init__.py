"""Which of the user's declarations device code needs: what kernels refer to, and what that refers to."""
