"""What the user sees: findings of rexcc and of the compilers behind it, as text or as a document."""
