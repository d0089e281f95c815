non-sealedclass A {}
