/** Tests of what {@code doctor} reports for every cloud. */
@NullMarked
package io.tidemark.provider.kit.doctor;

import org.jspecify.annotations.NullMarked;
