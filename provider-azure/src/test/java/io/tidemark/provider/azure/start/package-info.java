/** The start, in virtual time and over sockets. */
@NullMarked
package io.tidemark.provider.azure.start;

import org.jspecify.annotations.NullMarked;
