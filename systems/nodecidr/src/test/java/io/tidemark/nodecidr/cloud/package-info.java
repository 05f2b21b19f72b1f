/** Runs in: the build alone. */
@NullMarked
package io.tidemark.nodecidr.cloud;

import org.jspecify.annotations.NullMarked;
