"""What all pages share: layout, errors, notices, the first page, health."""
