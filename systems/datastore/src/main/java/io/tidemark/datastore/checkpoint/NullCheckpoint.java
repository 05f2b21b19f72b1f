package io.tidemark.datastore.checkpoint;

import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import java.util.Optional;

/** Forgets what is written, and never has any content. For tests and benchmarks. */
public final class NullCheckpoint implements Checkpointer {
  @Override
  public String name() {
    return "no file";
  }

  @Override
  public void checkpoint(byte[] content) {}

  @Override
  public Read restore() {
    return new Read.Absent(Optional.empty());
  }
}
