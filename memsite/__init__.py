"""The site: wiring on top, ports to the outside below."""
