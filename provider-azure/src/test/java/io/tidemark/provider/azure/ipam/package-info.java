/** Writes on the emulator, in virtual time. */
@NullMarked
package io.tidemark.provider.azure.ipam;

import org.jspecify.annotations.NullMarked;
