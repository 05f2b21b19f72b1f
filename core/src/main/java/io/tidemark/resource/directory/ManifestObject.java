package io.tidemark.resource.directory;

/**
 * One CiliumNode in a file.
 *
 * @param name {@code metadata.name}
 * @param text the object's own characters: two objects with the same text are the same version
 * @param path where it stands in its document, such as {@code items[3]}; empty for a whole document
 */
record ManifestObject(
    String name, MarkedDocument document, MarkedMapping node, String text, String path) {}
