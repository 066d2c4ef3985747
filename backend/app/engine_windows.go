package app

// engineBinary is the name of our own engine's program.
const engineBinary = "ollama.exe"
