package io.tidemark.resource;

/**
 * An object that a server sent, valid or not. A part of its identity that is missing, or is not a
 * text, is empty: a bookmark of a watch has a version alone.
 *
 * @param <T> the kind of object that was expected
 */
public record ReceivedObject<T>(
    String name, String uid, String resourceVersion, ParsedResource<T> parsed) {}
