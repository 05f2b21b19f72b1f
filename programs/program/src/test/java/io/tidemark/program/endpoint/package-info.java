/** Tests of {@code io.tidemark.program.endpoint}. */
@NullMarked
package io.tidemark.program.endpoint;

import org.jspecify.annotations.NullMarked;
