async a
