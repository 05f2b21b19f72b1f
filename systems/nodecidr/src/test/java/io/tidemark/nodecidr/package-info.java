/** Runs in: the build alone. */
@NullMarked
package io.tidemark.nodecidr;

import org.jspecify.annotations.NullMarked;
