package io.tidemark.manifests;

import java.util.List;

/**
 * This program's part of one half of an object: of its spec, its status or its metadata.
 *
 * @param root the key of the half
 * @param owned paths that are written with everything inside; one that ends with {@code /} stands
 *     for all names that begin so
 * @param foreign paths inside them that others write
 */
record OwnedPaths(String root, List<List<String>> owned, List<List<String>> foreign) {
  /** Paths are given as keys with dots between. */
  static OwnedPaths of(String root, List<String> owned, List<String> foreign) {
    return new OwnedPaths(root, keys(owned), keys(foreign));
  }

  private static List<List<String>> keys(List<String> paths) {
    return paths.stream().map(each -> List.of(each.split("\\.", -1))).toList();
  }

  /** Whether everything at {@code path} is written by this program. */
  boolean own(List<String> path) {
    return owned.stream().anyMatch(each -> isPrefix(each, path) || isNamedBy(each, path))
        && foreign.stream().noneMatch(each -> isPrefix(each, path) || isPrefix(path, each));
  }

  /** Whether {@code path} is not owned itself, but places inside it are. */
  boolean leadTo(List<String> path) {
    return !own(path)
        && (owned.stream().anyMatch(each -> isPrefix(path, each))
            || foreign.stream().anyMatch(each -> isPrefix(path, each) && !path.equals(each)));
  }

  private static boolean isNamedBy(List<String> one, List<String> path) {
    int last = one.size() - 1;
    return one.get(last).endsWith("/")
        && path.size() > last
        && path.subList(0, last).equals(one.subList(0, last))
        && path.get(last).startsWith(one.get(last));
  }

  private static boolean isPrefix(List<String> one, List<String> path) {
    return one.size() <= path.size() && path.subList(0, one.size()).equals(one);
  }
}
