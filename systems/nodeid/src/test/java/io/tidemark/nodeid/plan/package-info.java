/** Runs in: the build alone. */
@NullMarked
package io.tidemark.nodeid.plan;

import org.jspecify.annotations.NullMarked;
