package io.tidemark.kubernetes.events;

/**
 * The object that an Event is about.
 *
 * @param namespace empty text for an object of the whole cluster
 * @param uid of its incarnation, by which {@code kubectl describe} looks; empty text when not known
 */
record EventSubject(String apiVersion, String kind, String namespace, String name, String uid) {
  static EventSubject ciliumNode(String name, String uid) {
    return new EventSubject("cilium.io/v2", "CiliumNode", "", name, uid);
  }

  static EventSubject node(String name, String uid) {
    return new EventSubject("v1", "Node", "", name, uid);
  }

  static EventSubject lease(String namespace, String name, String uid) {
    return new EventSubject("coordination.k8s.io/v1", "Lease", namespace, name, uid);
  }

  /** Where its Events are; those of an object of the whole cluster are in {@code default}. */
  String eventNamespace() {
    return namespace.isEmpty() ? "default" : namespace;
  }

  /** The same for every incarnation. */
  String key() {
    return kind + '/' + namespace + '/' + name;
  }
}
