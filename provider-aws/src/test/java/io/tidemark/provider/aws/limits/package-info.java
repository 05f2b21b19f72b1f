/** Runs in: anywhere. Tests of the package. */
@NullMarked
package io.tidemark.provider.aws.limits;

import org.jspecify.annotations.NullMarked;
