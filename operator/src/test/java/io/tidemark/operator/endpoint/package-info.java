/** Tests of {@code io.tidemark.operator.endpoint}. */
@NullMarked
package io.tidemark.operator.endpoint;

import org.jspecify.annotations.NullMarked;
