package io.tidemark.node;

import io.tidemark.spi.Blocked;
import java.util.Optional;

/**
 * What a plan may contain at this moment beside what pods wait for.
 *
 * @param droppedCidrs what a multi-pool agent dropped may be given back
 * @param staticAddress a public address may be asked for
 * @param noReplacement why no addresses may be asked for in place of those that leave
 */
record Allowed(boolean droppedCidrs, boolean staticAddress, Optional<Blocked> noReplacement) {}
