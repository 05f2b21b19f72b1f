/** Runs in: the build alone. */
@NullMarked
package io.tidemark.nodecidr.pool;

import org.jspecify.annotations.NullMarked;
