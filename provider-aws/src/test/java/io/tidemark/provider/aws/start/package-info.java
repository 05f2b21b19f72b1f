/** Runs in: anywhere. Tests of the package. */
@NullMarked
package io.tidemark.provider.aws.start;

import org.jspecify.annotations.NullMarked;
