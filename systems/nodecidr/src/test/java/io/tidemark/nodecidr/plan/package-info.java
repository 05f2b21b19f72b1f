/** Runs in: the build alone. */
@NullMarked
package io.tidemark.nodecidr.plan;

import org.jspecify.annotations.NullMarked;
