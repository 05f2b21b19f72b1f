/** Tests of {@code io.tidemark.operator.report}. */
@NullMarked
package io.tidemark.operator.report;

import org.jspecify.annotations.NullMarked;
