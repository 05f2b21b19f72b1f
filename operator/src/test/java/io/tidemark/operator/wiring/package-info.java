/** Tests of {@code io.tidemark.operator.wiring}. */
@NullMarked
package io.tidemark.operator.wiring;

import org.jspecify.annotations.NullMarked;
