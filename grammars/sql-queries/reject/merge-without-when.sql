merge into t using s on true
