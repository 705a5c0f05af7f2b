"""The pages of disputes: the list, and one dispute with its sides."""
