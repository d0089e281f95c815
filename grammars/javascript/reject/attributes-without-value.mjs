import a from "a" with type;
