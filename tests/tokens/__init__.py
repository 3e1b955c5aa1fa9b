"""Whether generated text is, token for token, what the user's compiler saw, but for the edits of the lowering."""
