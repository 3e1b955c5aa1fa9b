"""Seeded random programs with target regions, compared with plain host execution of the same text.

Every program gives, by construction, the same output whether its directives are obeyed or ignored, and for any number
of teams and threads. How that is kept is told in ``places``.
"""
