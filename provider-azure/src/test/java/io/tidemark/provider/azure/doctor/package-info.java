/** Tests of the checkup on the emulator. */
@NullMarked
package io.tidemark.provider.azure.doctor;

import org.jspecify.annotations.NullMarked;
