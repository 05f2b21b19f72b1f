package io.tidemark.daemon.cni;

/** One interface of one container in one network. */
record AttachmentKey(String network, String container, String interfaceName) {
  @Override
  public String toString() {
    return interfaceName + " of container " + container + " in network " + network;
  }
}
