package io.tidemark.manifests;

/**
 * Where a value stands: what it hangs on, and the style around it.
 *
 * @param behind the character after its key's colon or its dash
 * @param flow whether it stands between braces or brackets
 * @param indent of the line it hangs on
 */
record Place(int behind, boolean flow, String indent, BlockStyle block, FlowStyle braces) {}
