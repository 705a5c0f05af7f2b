"""What every page has: navigation, theme, language."""

from memsite.web.layout.language import keep_language
from memsite.web.layout.theme import choose_theme, get_theme

__all__ = ["choose_theme", "get_theme", "keep_language"]
