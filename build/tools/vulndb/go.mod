module recollect/build/tools/vulndb

go 1.26.0

require golang.org/x/vulndb v0.0.0-20261105234957-e22db6528018 // indirect
