package io.tidemark.file;

/**
 * What a directory says of a file: as long as it stays the same, so does the content, except for
 * changes within the grain of the file system's clock.
 *
 * @param regular whether it is a file, and not a directory or a pipe
 * @param key identity of the file behind the name, such as device and inode
 */
public record FileStamp(boolean regular, String key, long modifiedNanos, long size) {}
