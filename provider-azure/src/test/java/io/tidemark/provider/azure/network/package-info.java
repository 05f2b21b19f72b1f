/** The door on the emulator, without sockets. */
@NullMarked
package io.tidemark.provider.azure.network;

import org.jspecify.annotations.NullMarked;
