/** The metadata service, over sockets. */
@NullMarked
package io.tidemark.provider.azure.metadata;

import org.jspecify.annotations.NullMarked;
