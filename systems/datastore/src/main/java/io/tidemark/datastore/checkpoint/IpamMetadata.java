package io.tidemark.datastore.checkpoint;

/**
 * The notes with an assignment, for people and for the removal of all interfaces of a pod.
 *
 * @param podNamespace empty when unknown
 * @param podName empty when unknown
 * @param interfacesCount how many interfaces the pod has; 0 in files of older versions
 */
public record IpamMetadata(String podNamespace, String podName, int interfacesCount) {
  /** Nothing is known. */
  public static final IpamMetadata NONE = new IpamMetadata("", "", 0);

  /** How many interfaces the pod has, 1 where an older version did not note it. */
  public int interfaces() {
    return interfacesCount == 0 ? 1 : interfacesCount;
  }
}
