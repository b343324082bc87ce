"""The one door in: size, cleaning, redaction, our own text dropped, normal form, fingerprint. Pure."""
