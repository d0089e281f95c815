select a over from b
