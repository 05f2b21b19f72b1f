/** The fake of the file port, for the tests of the modules above. */
@NullMarked
package io.tidemark.file;

import org.jspecify.annotations.NullMarked;
