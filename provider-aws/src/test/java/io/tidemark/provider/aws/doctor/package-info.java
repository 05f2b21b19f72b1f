/** Runs in: anywhere. Tests of the package. */
@NullMarked
package io.tidemark.provider.aws.doctor;

import org.jspecify.annotations.NullMarked;
