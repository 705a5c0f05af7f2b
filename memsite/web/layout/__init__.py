"""Parts of every page: navigation, banners, theme, language."""

from memsite.web.layout.banners import Banner, register_banner
from memsite.web.layout.choices import choose_theme, get_theme, keep_language
from memsite.web.layout.navigation import register_count

__all__ = ["Banner", "choose_theme", "get_theme", "keep_language", "register_banner", "register_count"]
