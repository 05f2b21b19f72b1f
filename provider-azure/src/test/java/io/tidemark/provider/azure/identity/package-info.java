/** Tokens in virtual time, and azure-identity on the emulator's token endpoint. */
@NullMarked
package io.tidemark.provider.azure.identity;

import org.jspecify.annotations.NullMarked;
