-- another library
return require "os"
