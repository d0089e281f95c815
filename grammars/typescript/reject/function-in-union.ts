type F = string | () => void;
