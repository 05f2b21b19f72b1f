@NullMarked
package io.tidemark.operator.page;

import org.jspecify.annotations.NullMarked;
