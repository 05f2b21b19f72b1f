package io.tidemark.manifests;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A directory, and a store over it that is open. */
abstract class StoreTest {
  @TempDir Path directory;
  StoreWorld world;
  DirectoryNodeResourceStore store;

  @BeforeEach
  void open() {
    world = new StoreWorld(directory);
    store = world.open();
  }

  @AfterEach
  void close() {
    store.close();
  }
}
