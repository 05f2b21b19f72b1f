package io.tidemark.program;

import java.util.Map;

/**
 * Settings that a cluster keeps for several programs, such as the ConfigMap of its agents. Read
 * once, on the main thread.
 */
public interface ClusterSettings {
  /** The place of the settings, for messages: {@code ConfigMap kube-system/cilium-config}. */
  String where();

  /**
   * All keys and values there, ours or not; may block.
   *
   * @throws io.tidemark.error.IpamException when they cannot be read
   */
  Map<String, String> read();
}
