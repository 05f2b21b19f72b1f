package io.tidemark.datastore;

import io.tidemark.datastore.DataStore.Assigned;
import io.tidemark.datastore.checkpoint.CheckpointData.Released;
import java.util.List;

/**
 * The content of a store at one instant.
 *
 * @param view its interfaces and how many addresses they have
 * @param assigned the assignments that are durable, in the order of their addresses
 * @param cooling the addresses that cool, also those that have left the node
 */
public record StoreSnapshot(PoolView view, List<Assigned> assigned, List<Released> cooling) {}
