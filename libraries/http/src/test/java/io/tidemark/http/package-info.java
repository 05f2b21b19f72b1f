/** Tests of the bounded HTTP server, and raw clients for those of its users. */
@NullMarked
package io.tidemark.http;

import org.jspecify.annotations.NullMarked;
