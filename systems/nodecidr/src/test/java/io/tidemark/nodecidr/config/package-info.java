/** Runs in: the build alone. */
@NullMarked
package io.tidemark.nodecidr.config;

import org.jspecify.annotations.NullMarked;
